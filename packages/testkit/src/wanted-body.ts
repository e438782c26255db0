/** What a body is to be. Its length is in its head. */
export interface WantedBody {
  text: string
  times: number
  /** In how many pieces it is sent; default 1. */
  pieces?: number
  packed?: boolean
  /** After half of it: the connection ends, or nothing happens any more. */
  half?: 'ends' | 'hangs'
}

export const bodyUrl = (server: string, wanted: WantedBody): string =>
  `${server}?${new URLSearchParams({ wanted: JSON.stringify(wanted) })}`
