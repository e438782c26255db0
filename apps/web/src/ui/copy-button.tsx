import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'

/** Copies, and says "Copied" for two seconds. */
export function CopyButton({
  text,
  label = 'Copy',
  withWords,
}: {
  text: string | (() => string)
  label?: string
  withWords?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true))
  }
  const icon = isCopied ? 'check' : 'copy'
  return (
    <>
      {withWords ? (
        <Button small look="quiet" icon={icon} onClick={copy}>
          {isCopied ? 'Copied' : label}
        </Button>
      ) : (
        <IconButton small label={isCopied ? 'Copied' : label} icon={icon} onClick={copy} />
      )}
      <span className="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
