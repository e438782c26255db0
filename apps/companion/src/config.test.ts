import { chmod, chown, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configFile, parseConfig, watchConfig } from './config.ts'

const server = (entry: unknown) => JSON.stringify({ mcpServers: { one: entry } })

describe('the file of local servers', () => {
  it('has the shape that other programs use', () => {
    const text = server({ type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { KEY: 'value' }, cwd: '/tmp' })
    const { servers, relayOrigins } = parseConfig(text)
    expect(servers.get('one')).toEqual({ command: 'npx', args: ['-y', 'x'], env: { KEY: 'value' }, cwd: '/tmp' })
    expect(relayOrigins).toEqual([])
  })

  it('may leave out all but the command', () => {
    expect(parseConfig(server({ command: 'x' })).servers.get('one')).toEqual({
      command: 'x',
      args: [],
      env: {},
      cwd: homedir(),
    })
  })

  it('names the origins that the relay reaches', () => {
    expect(parseConfig('{"relay":{"allow":["https://a.example","http://localhost:3000/"]}}').relayOrigins).toEqual([
      'https://a.example',
      'http://localhost:3000',
    ])
  })

  it.each([
    ['{', 'no JSON'],
    ['[]', 'the file must be an object'],
    ['{"servers":{}}', 'unknown field "servers"'],
    ['{"mcpServers":[]}', 'mcpServers must be an object'],
    ['{"mcpServers":{"a b":{"command":"x"}}}', 'the name "a b"'],
    ['{"mcpServers":{"../x":{"command":"x"}}}', 'the name "../x"'],
    ['{"mcpServers":{"":{"command":"x"}}}', 'the name ""'],
    [server('x'), 'mcpServers.one must be an object'],
    [server({}), 'mcpServers.one.command'],
    [server({ command: '' }), 'mcpServers.one.command'],
    [server({ command: 'a\nb' }), 'mcpServers.one.command'],
    [server({ command: './x' }), 'is a relative path'],
    [server({ command: 'x', args: 'y' }), 'mcpServers.one.args must be a list of texts'],
    [server({ command: 'x', args: [1] }), 'mcpServers.one.args must be a list of texts'],
    [server({ command: 'x', env: { A: 1 } }), 'mcpServers.one.env.A must be a text'],
    [server({ command: 'x', cwd: 'relative' }), 'mcpServers.one.cwd must be an absolute path'],
    [server({ command: 'x', shell: true }), 'unknown field "shell"'],
    ['{"relay":{"allow":"*"}}', 'relay.allow must be a list'],
    ['{"relay":{"allow":["*"]}}', 'relay.allow has "*"'],
    ['{"relay":{"allow":["https://a.example/path"]}}', 'relay.allow has'],
    ['{"relay":{"allow":["file:///"]}}', 'relay.allow has'],
  ])('is refused with the field that is wrong: %s', (text, words) => {
    expect(() => parseConfig(text)).toThrow(words)
  })

  it('is read again when it has changed, counts as it was while it is wrong, and may be missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'companion-config-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'servers.json')
    const config = watchConfig(file)
    expect(config()).toMatchObject({ missing: true })
    await writeFile(file, server({ command: 'x' }), { mode: 0o600 })
    expect([...config().servers.keys()]).toEqual(['one'])
    expect(config()).toBe(config())
    await writeFile(file, '{')
    expect(config()).toMatchObject({ problem: expect.stringContaining(file) as string })
    expect([...config().servers.keys()]).toEqual(['one'])
    await writeFile(file, server({ command: 'x' }))
    await chmod(file, 0o666)
    expect(config().problem).toContain('other users may write it')
    expect(config().servers.size).toBe(0)
  })

  describe('[A7.4] is refused where other users could change what runs', () => {
    const uid = process.getuid?.() ?? 0

    async function written() {
      const top = await realpath(await mkdtemp(join(tmpdir(), 'companion-config-')))
      onTestFinished(() => rm(top, { recursive: true }))
      const folder = join(top, 'switchboard')
      await mkdir(folder, { mode: 0o700 })
      const file = join(folder, 'servers.json')
      await writeFile(file, server({ command: 'x' }), { mode: 0o600 })
      return { top, folder, file }
    }

    it('counts where only its user may write, also in a folder with the sticky bit', async () => {
      const { file, folder } = await written()
      const config = watchConfig(file)
      expect([...config().servers.keys()]).toEqual(['one'])
      await chmod(folder, 0o1777)
      expect([...config().servers.keys()]).toEqual(['one'])
    })

    it.each([
      ['its folder may be written by everybody', 'folder', 0o777],
      ['its folder may be written by its group', 'folder', 0o770],
      ['a folder further up may be written by everybody', 'top', 0o777],
    ] as const)('%s', async (_name, place, mode) => {
      const paths = await written()
      const config = watchConfig(paths.file)
      expect(config().servers.size).toBe(1)
      await chmod(paths[place], mode)
      expect(config().servers.size).toBe(0)
      expect(config().problem).toContain(`chmod go-w ${paths[place]}`)
      await chmod(paths[place], 0o700)
      expect(config().servers.size).toBe(1)
      expect(config().problem).toBeUndefined()
    })

    it('a symbolic link on the way leads through a folder that everybody may write', async () => {
      const { file, folder } = await written()
      const open = await written()
      const link = join(open.folder, 'link')
      await symlink(folder, link)
      const config = watchConfig(join(link, 'servers.json'))
      expect(config().servers.size).toBe(1)
      await chmod(open.folder, 0o777)
      expect(config().problem).toContain(`chmod go-w ${open.folder}`)
      await chmod(open.folder, 0o700)
      await chmod(folder, 0o777)
      expect(config().problem).toContain(folder)
      expect(watchConfig(file)().servers.size).toBe(0)
    })

    it('it belongs to another user', async () => {
      const { file } = await written()
      // Root is trusted anyway, so where the tests run as root the file is given away.
      if (uid === 0) await chown(file, 12_345, 12_345)
      const config = watchConfig(file, uid === 0 ? 0 : uid + 1)
      expect(config().servers.size).toBe(0)
      expect(config().problem).toContain('belongs to another user')
    })
  })

  it('is where the system keeps such files', () => {
    expect(configFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/switchboard/servers.json')
    expect(configFile({})).toBe(join(homedir(), '.config/switchboard/servers.json'))
  })
})
