export { applyChanges, readRows } from '#storage/changes.ts'
export { createMemoryDatabase } from '#storage/memory-database.ts'
