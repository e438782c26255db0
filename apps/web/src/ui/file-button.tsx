import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'

/** A button that lets the user choose one file. The same file can be chosen again. */
export function FileButton({
  accept,
  onFile,
  children,
}: {
  accept: string
  onFile: (file: File) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="upload" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
