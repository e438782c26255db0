/** The files that the user picks in the browser's own window; none where they close it. */
export function chooseFiles(): Promise<File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
