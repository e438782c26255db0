import { describe, expect, test, vi } from 'vitest'
import { createTestRun, describeSummary, MOST_RUN_AGAIN } from './run-suites.mjs'

const passing = { passed: 5, failed: 0, failedFiles: [], problems: [] }
const failing = (...failedFiles: string[]) => ({ passed: 4, failed: failedFiles.length, failedFiles, problems: [] })

function suite(...results: (typeof passing | ReturnType<typeof failing>)[]) {
  return { name: 'sample tests', run: vi.fn(async (_files?: string[]) => results.shift() ?? passing) }
}

const silent = () => {}

describe('a test run', () => {
  test('runs nothing again when every file passed', async () => {
    const tests = createTestRun(silent)
    const one = suite(passing)
    await tests.run(one)
    await tests.runFailedAgain()
    expect(one.run).toHaveBeenCalledTimes(1)
    expect(describeSummary(tests.summary)).toBe('Flaky: none\n5 passed, 0 failed')
  })

  test('lists a file that fails and then passes alone as flaky, and succeeds', async () => {
    const tests = createTestRun(silent)
    const one = suite(failing('a.test.ts', 'b.test.ts'), passing, passing)
    expect(await tests.run(one)).toBe('2 to be run again')
    await tests.runFailedAgain()
    expect(one.run.mock.calls).toEqual([[], [['a.test.ts']], [['b.test.ts']]])
    expect(tests.summary).toEqual({ passed: 6, failed: 0, flaky: ['a.test.ts', 'b.test.ts'], failures: [] })
    expect(describeSummary(tests.summary)).toMatch(/^Flaky .*\n {2}a.test.ts\n {2}b.test.ts\n6 passed, 0 failed$/)
  })

  test('fails when a file fails twice, and still runs the other files of all suites again', async () => {
    const tests = createTestRun(silent)
    const one = suite(failing('a.test.ts', 'b.test.ts'), failing('a.test.ts'), passing)
    const other = suite(failing('c.test.ts'), passing)
    await tests.run(one)
    await tests.run(other)
    await expect(tests.runFailedAgain()).rejects.toThrow('Tests failed twice.')
    expect(tests.summary).toMatchObject({ flaky: ['b.test.ts', 'c.test.ts'], failures: ['a.test.ts'] })
    expect(describeSummary(tests.summary)).toMatch(/^Failed:\n {2}a.test.ts\n/)
  })

  test('fails at once when a tool reports an error that belongs to no file', async () => {
    const tests = createTestRun(silent)
    await expect(tests.run(suite({ ...passing, problems: ['The browser did not start'] as never }))).rejects.toThrow()
    expect(tests.summary.failures).toEqual(['sample tests: The browser did not start'])
  })

  test('runs nothing again when too many files failed for it to be chance', async () => {
    const tests = createTestRun(silent)
    const files = Array.from({ length: MOST_RUN_AGAIN + 1 }, (_, index) => `${index}.test.ts`)
    const one = suite(failing(...files))
    await tests.run(one)
    await expect(tests.runFailedAgain()).rejects.toThrow('Tests failed twice.')
    expect(one.run).toHaveBeenCalledTimes(1)
    expect(tests.summary.failures).toEqual(files)
  })
})
