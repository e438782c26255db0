import type { ReactNode } from 'react'
import type { Failure } from '#domain/failure.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { OfferPicker, type Pickable } from '#ui/offers/offer-picker.tsx'
import { explain } from '#wiring/explain.ts'
import styles from './offers-screen.module.css'

/** What a server offers of one kind, and beside it the one that was chosen. */
export function OfferColumns({
  title,
  serverId,
  asked: { failure, isBusy, again },
  items,
  empty,
  leftOut,
  children,
}: {
  title: string
  serverId: string
  asked: { failure: Failure | undefined; isBusy: boolean; again: () => void }
  /** Undefined until the server has answered. */
  items: readonly Pickable[] | undefined
  empty: ReactNode
  leftOut: number
  children: ReactNode
}) {
  return (
    <div className={styles.columns}>
      <div className={styles.list}>
        <div className={styles.listHead}>
          <h2>{title}</h2>
          <Button small look="quiet" icon="refresh" busy={isBusy} onClick={again}>
            Refresh
          </Button>
        </div>
        {failure && <Explained {...explain(failure, { serverId })} onAct={again} />}
        {items ? (
          <OfferPicker label={title.toLowerCase()} items={items} empty={empty} />
        ) : (
          !failure && <div className={styles.waiting} aria-busy="true" />
        )}
        {leftOut > 0 && <p className={styles.note}>{leftOut} more are not shown: too many, or not readable.</p>}
      </div>
      <div className={styles.detail}>{children}</div>
    </div>
  )
}
