import { Icon, type IconName } from './icon.tsx'

/** The picture a server gave itself or a tool, from a data: address that was checked when it came; or ours. */
export const ToolIcon = ({
  icon,
  fallback = 'tool',
  size = 20,
}: {
  icon: string | undefined
  fallback?: IconName
  size?: number
}) =>
  icon?.startsWith('data:image/') ? (
    <img src={icon} width={size} height={size} alt="" />
  ) : (
    <Icon name={fallback} size={size} />
  )
