/** Whoever watches one of these hears how often it changed. */
export const resourceNews = (serverId: string, uri: string): string => `${serverId} resource ${uri}`
export const listNews = (serverId: string, list: 'resources' | 'prompts'): string => `${serverId} ${list}`
