import { Icon } from './icon.tsx'
import styles from './tool-warnings.module.css'

/** Signs that the definition of a tool tries to steer the model. */
export const ToolWarnings = ({ warnings = [] }: { warnings?: readonly string[] | undefined }) =>
  warnings.length > 0 && (
    <p className={styles.warnings}>
      <Icon name="warning" size={15} />
      <span>Look at it before you use it: {warnings.join(' ')}</span>
    </p>
  )
