// What a conversation is drawn with beside what a new chat has: loaded at once, when there is one.
export { ConversationMenu } from './conversation-menu.tsx'
export { MessageList } from './message-list.tsx'
