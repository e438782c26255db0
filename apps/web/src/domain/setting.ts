/** What the user has set, by key; what is not there has its default here. */
export const settingDefaults = {
  theme: 'system' as 'system' | 'light' | 'dark',
  /** The call beside which the hint on servers was shown first, or true where it was dismissed. */
  serversHintSeen: false as boolean | string,
  idleLockMinutes: 15,
  /** The GPT a new chat begins with. */
  defaultGptId: '',
  sidebarOpen: true,
  /** Whether the system tells of tasks that end while nobody looks. */
  notifyTasks: false,
  /** Whether the tab is named after its chat. Browsers keep the titles of pages in their history. */
  titlesInTab: false,
  /** Whether the suggestion to protect stored keys was turned down. */
  protectHintSeen: false,
}
export type Settings = typeof settingDefaults
export type SettingKey = keyof Settings
