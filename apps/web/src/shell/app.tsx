import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import type { Failure } from '#domain/failure.ts'
import { sessionNote } from '#lib/session-note.ts'
import { SIGN_IN_ANSWER } from '#lib/sign-in-names.ts'
import { visibleText } from '#lib/visible-text.ts'
import { setting } from '#storage/live.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Notice } from '#ui/notice.tsx'
import { Toasts } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { ChatScreen } from '../features/chat/chat-screen.tsx'
import { NewChatScreen } from '../features/chat/new-chat-screen.tsx'
import styles from './app.module.css'
import { Boundary } from './boundary.tsx'
import { Frame } from './frame.tsx'
import { Home } from './home.tsx'
import { ProtectNotice } from './protect-notice.tsx'
import { StorageNotice } from './storage-notice.tsx'
import { useActivity } from './use-activity.ts'
import { useKeepWish } from './use-keep-wish.ts'
import { useLeaveWarning } from './use-leave-warning.ts'
import { TaskEnds } from './task-ends.tsx'
import { useUnheardFailures } from './use-unheard-failures.ts'

const StartActions = lazy(() => import('./storage/start-actions.tsx').then((m) => ({ default: m.StartActions })))
const FinishSignIn = lazy(() => import('./finish-sign-in.tsx').then((m) => ({ default: m.FinishSignIn })))
const GptsScreen = lazy(() => import('../features/gpts/gpts-screen.tsx').then((m) => ({ default: m.GptsScreen })))
const GptEditor = lazy(() => import('../features/gpts/gpt-editor.tsx').then((m) => ({ default: m.GptEditor })))
const ServersScreen = lazy(() =>
  import('../features/servers/servers-screen.tsx').then((m) => ({ default: m.ServersScreen })),
)
const ServerScreen = lazy(() =>
  import('../features/servers/server-screen.tsx').then((m) => ({ default: m.ServerScreen })),
)
const OffersScreen = lazy(() =>
  import('../features/resources/offers-screen.tsx').then((m) => ({ default: m.OffersScreen })),
)
const CustomToolsScreen = lazy(() =>
  import('../features/custom-tools/custom-tools-screen.tsx').then((m) => ({ default: m.CustomToolsScreen })),
)
const SettingsScreen = lazy(() =>
  import('../features/settings/settings-screen.tsx').then((m) => ({ default: m.SettingsScreen })),
)

const ChangesScreen = lazy(() =>
  import('../features/servers/changes-screen.tsx').then((m) => ({ default: m.ChangesScreen })),
)
const MessagesScreen = lazy(() =>
  import('../features/messages/messages-screen.tsx').then((m) => ({ default: m.MessagesScreen })),
)
const TasksScreen = lazy(() => import('../features/tasks/tasks-screen.tsx').then((m) => ({ default: m.TasksScreen })))
const ToolsScreen = lazy(() => import('../features/tools/tools-screen.tsx').then((m) => ({ default: m.ToolsScreen })))

export function App() {
  const phase = useEngineState((state) => state.phase)
  useUnheardFailures()
  return (
    <Router hook={useHashLocation}>
      <Boundary>
        <Theme />
        {phase === 'failed' ? <CannotStart /> : <Screens />}
      </Boundary>
      <Toasts />
    </Router>
  )
}

function Screens() {
  useActivity()
  useKeepWish()
  useLeaveWarning()
  const [location] = useLocation()
  const [isBack] = useState(() => sessionNote(SIGN_IN_ANSWER) !== null)
  return (
    <Frame>
      <StorageNotice />
      <ProtectNotice location={location} />
      <TaskEnds />
      {isBack && (
        <Suspense fallback={null}>
          <FinishSignIn />
        </Suspense>
      )}
      <Boundary at={location}>
        <Suspense fallback={<div className={styles.loading} aria-busy="true" />}>
          <Switch>
            <Route path="/">
              <Home />
            </Route>
            <Route path="/gpt/:gptId/new">{({ gptId }) => <NewChatScreen key={gptId} gptId={gptId} />}</Route>
            <Route path="/chat/:conversationId">
              {({ conversationId }) => <ChatScreen key={conversationId} conversationId={conversationId} />}
            </Route>
            <Route path="/gpts">
              <GptsScreen />
            </Route>
            <Route path="/gpts/:gptId">{({ gptId }) => <GptEditor key={gptId} gptId={gptId} />}</Route>
            <Route path="/servers">
              <ServersScreen />
            </Route>
            <Route path="/servers/new">
              <ServerScreen />
            </Route>
            <Route path="/servers/:serverId/resources">
              {({ serverId }) => <OffersScreen serverId={serverId} tab="resources" />}
            </Route>
            <Route path="/servers/:serverId/prompts">
              {({ serverId }) => <OffersScreen serverId={serverId} tab="prompts" />}
            </Route>
            <Route path="/servers/custom/:place?">{({ place }) => <CustomToolsScreen place={place} />}</Route>
            <Route path="/servers/:serverId/custom/:place?">
              {({ serverId, place }) => <CustomToolsScreen serverId={serverId} place={place} />}
            </Route>
            <Route path="/servers/:serverId">
              {({ serverId }) => <ServerScreen key={serverId} serverId={serverId} />}
            </Route>
            <Route path="/servers/:serverId/changes">
              {({ serverId }) => <ChangesScreen key={serverId} serverId={serverId} />}
            </Route>
            <Route path="/messages/:serverId?">
              {({ serverId }) => <MessagesScreen key={serverId} serverId={serverId} />}
            </Route>
            <Route path="/tasks/:serverId?">
              {({ serverId }) => <TasksScreen key={serverId} serverId={serverId} />}
            </Route>
            <Route path="/tools/:serverId?/:toolName?">
              {({ serverId, toolName }) => <ToolsScreen serverId={serverId} toolName={toolName} />}
            </Route>
            <Route path="/settings/:section?">
              {({ section }) => <SettingsScreen section={section ?? 'models'} />}
            </Route>
            <Route>
              <NotFound location={location} />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Frame>
  )
}

const NotFound = ({ location }: { location: string }) => (
  <EmptyState icon="question" title="Page not found" action={<Link href="/">Go to your chats</Link>}>
    There is nothing at <code>{visibleText(location.slice(0, 200))}</code>. Check the address.
  </EmptyState>
)

/** The engine could not open its storage, and what to do about that only the user can say. */
function CannotStart() {
  const { state } = useEngine()
  const failure: Failure = state.failure ?? { code: 'internal', message: 'The engine did not start.' }
  const { title, text } = explain(failure)
  return (
    <main className={styles.cannotStart}>
      <h1>Switchboard cannot start</h1>
      <Notice
        tone="bad"
        title={title}
        actions={
          failure.code.startsWith('storage') && (
            <Suspense>
              <StartActions why={failure} />
            </Suspense>
          )
        }
      >
        {text}
      </Notice>
    </main>
  )
}

function Theme() {
  const theme = useLive((db) => setting(db, 'theme'), [])
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
    else delete document.documentElement.dataset['theme']
  }, [theme])
  return null
}
