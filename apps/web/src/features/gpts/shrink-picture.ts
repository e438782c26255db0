const SIDE = 96

/** A small square of a picture, as a data: address; nothing of the file but its pixels is kept. */
export async function shrinkPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file, { resizeWidth: SIDE * 2, resizeQuality: 'high' })
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE)
  bitmap.close()
  return canvas.toDataURL('image/webp', 0.85)
}
