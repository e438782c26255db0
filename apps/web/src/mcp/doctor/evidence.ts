import type { RelayReach } from '../companion.ts'
import type { Failure } from '#domain/failure.ts'
import type { Authentication } from '#domain/server.ts'

/** What a body is, as far as its beginning tells. */
export type BodyKind = 'mcp' | 'mcp-error' | 'json' | 'html' | 'stream' | 'other'

/** How one question to a server went. */
export type Answer =
  | {
      type: 'answered'
      status: number
      contentType: string
      body: BodyKind
      /** Of a session that it began, where the page may read it. */
      sessionId?: string
      /** The header that says where to sign in, where the page may read it. */
      challenge?: string
    }
  /** It leads elsewhere; where to is not shown to pages. */
  | { type: 'redirected' }
  /** Somebody answered; the browser shows nothing of it. */
  | { type: 'hidden' }
  /** The browser gave no answer, and no reason. */
  | { type: 'failed' }
  | { type: 'late' }

/** A document of those that tell where to sign in. */
export type DocumentState = 'read' | 'hidden' | 'missing' | 'unreachable' | 'forbidden'

export interface SignInEvidence {
  /** Of the server itself: who signs people in. */
  resource: DocumentState
  /** Of the one who does. */
  issuer?: { host: string; document: DocumentState }
}

/** What a program without a browser's limits sees; of the companion. */
export type CompanionSight =
  | { outcome: 'answered'; preflight: SeenAnswer; answer: SeenAnswer }
  | { outcome: 'dns' | 'private' | 'refused' | 'tls' | 'late' | 'broken'; reason: string }
export interface SeenAnswer {
  status: number
  headers: Readonly<Record<string, string>>
}

/** Everything that is known of a connection that failed. */
export interface Evidence {
  name: string
  url: string
  appOrigin: string
  authentication: Authentication['type']
  /** The names of the headers that tell the server who asks. */
  ownHeaders: readonly string[]
  isRelayed: boolean
  hasCompanion: boolean
  isOnline: boolean
  /** How the connection itself failed. */
  failure: Failure
  /** The browser's leave to reach this machine and its network, where it has such a thing. */
  localNetwork?: { name: string; state: PermissionState }
  /** A request that a browser sends without asking, and shows nothing of. */
  knock?: Answer
  /** A request that a browser sends without asking, and shows if the answer says so. */
  get?: Answer
  /** The first message of a session: a browser asks before it sends it. */
  post?: Answer
  /** The same with the headers of a connection: of a session, of the era without, and those that tell who asks. */
  sessionHeaders?: Answer
  statelessHeaders?: Answer
  identityHeaders?: Answer
  /** The second message, without the session that the first one may have begun. */
  second?: Answer
  /** Another address of the same server, where MCP is spoken. */
  elsewhere?: string
  signIn?: SignInEvidence
  companion?: CompanionSight
  /** Whether the companion's relay may reach it, and what allows it where only a person can. */
  reach?: Pick<RelayReach, 'isAllowed' | 'help'>
}
