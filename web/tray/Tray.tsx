import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconChevronUp,
  IconLoader2,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Notification } from '#contract/task.ts';
import { useConfig } from '#web/api/account.ts';
import { usePauseTask } from '#web/api/queries/download.ts';
import { exactText, percentText } from '#web/format/numbers.ts';
import { plainKey } from '#web/player/shortcuts/key-name.ts';
import { preferences } from '#web/player/state/player-preferences.ts';
import { useIsTheater } from '#web/player/state/player-store.ts';
import { progressText, shareOf, speedText } from '#web/tasks/download-progress.ts';
import { taskName } from '#web/tasks/task-names.ts';
import { ProgressBar } from '#web/tasks/ProgressBar.tsx';
import { isDownloadRun, isEnded, isPaused, isStopping, linesOf } from '#web/tasks/task-notice.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { isTyping } from '#web/ui/is-typing.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { DownloadPicture } from './DownloadPicture.tsx';
import { runningName } from './running-name.ts';
import { nowSeconds, updateTrayState } from './tray-state.ts';
import { useTray, type TrayContent } from './use-tray.ts';
import styles from './Tray.module.css';

const TrayPanel = lazyComponent(async () => (await import('./TrayPanel.tsx')).TrayPanel);

/** Calls back on Shift T outside of text fields. */
function useTrayKey(onKey: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (plainKey(event) !== 't' || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.repeat || event.defaultPrevented || isTyping(event) || preferences().keys === 'off') return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onKey();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onKey]);
}

/** Remembers when the last task started or ended, so that the tray returns after a reload. */
function useActivity(isRunning: boolean) {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (isRunning || wasRunning.current) updateTrayState({ activeAt: nowSeconds() });
    wasRunning.current = isRunning;
  }, [isRunning]);
}

/** What the collapsed tray says: one line that changes seldom, and one with the progress. */
interface Summary {
  icon: ReactNode;
  title: string;
  detail: string;
  share?: number | undefined;
}

/** Describes the run of the first task. */
function useRunSummary(): (first: Notification, content: TrayContent) => Summary {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  return (first, { running, queue }) => {
    const downloads = first.downloads ?? [];
    const total = queue ? queue.done + queue.waiting : 0;
    const name = !isDownloadRun(first)
      ? runningName(first)
      : isPaused(first)
        ? t`Downloads paused`
        : queue && total > 1
          ? t`Downloading ${exactText(Math.min(queue.done + 1, total))} of ${exactText(total)}`
          : runningName(first);
    const others = running.length - 1;
    const [download] = downloads;
    return {
      icon: download ? <DownloadPicture id={download.youtube_id} /> : <IconLoader2 className={styles.spinner} aria-hidden />,
      title: others > 0 ? t`${name} and ${plural(others, { one: '# more task', other: '# more tasks' })}` : name,
      detail: !download
        ? (linesOf(first)[0] ?? '')
        : download.bytes_per_second === null
          ? `${download.title} · ${progressText(download, unit)}`
          : `${speedText(download.bytes_per_second, unit)} · ${download.title}`,
      share: first.progress ?? (download && downloads.length === 1 ? shareOf(download) : undefined),
    };
  };
}

/** Describes what ended or failed since the tray was last seen; null: nothing. */
function useEndSummary(): (content: TrayContent) => Summary | null {
  const { t } = useLingui();
  return ({ notices, unseen: { arrivals, runs, failures } }) => {
    const counts = [
      failures > 0 && t`${exactText(failures)} failed`,
      arrivals > 0 && plural(arrivals, { one: '# video archived', other: '# videos archived' }),
      runs > 0 && plural(runs, { one: '# task finished', other: '# tasks finished' }),
    ].filter((text) => text !== false);
    const last = notices.findLast(isEnded);
    if (counts.length === 0 && !last) return null;
    const isBad = failures > 0 || last?.level === 'error';
    return {
      icon: isBad ? (
        <IconAlertTriangle className={styles.bad} aria-hidden />
      ) : (
        <IconCircleCheck className={styles.good} aria-hidden />
      ),
      title: counts.length > 0 ? counts.join(' · ') : taskName(last!.name ?? '', last!.title),
      detail: last
        ? [counts.length > 0 && taskName(last.name ?? '', last.title), linesOf(last)[0]].filter(Boolean).join(': ')
        : '',
    };
  };
}

/** Pause button of the collapsed tray. */
function PauseIcon({ notice }: { notice: Notification }) {
  const { t } = useLingui();
  const pause = usePauseTask();
  if (!notice.api_pause || isStopping(notice)) return null;
  const isOn = isPaused(notice);
  return (
    <IconButton
      label={isOn ? t`Resume` : t`Pause`}
      className={styles.barButton}
      onClick={() => pause.mutate({ id: notice.id, isPaused: !isOn })}
    >
      {isOn ? <IconPlayerPlayFilled aria-hidden /> : <IconPlayerPauseFilled aria-hidden />}
    </IconButton>
  );
}

/**
 * Running and finished work on every page: a bar at the edge, which opens a panel. It is rendered above the page and moves nothing
 * in it.
 */
export function Tray() {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const content = useTray(isOpen);
  const { first, running, isStaff, failedItems, failedTotal, unseen } = content;
  const toggle = useRef<HTMLButtonElement>(null);
  const isTheater = useIsTheater();
  const { pathname } = useLocation();
  const describeRun = useRunSummary();
  const describeEnd = useEndSummary();
  useActivity(running.length > 0);
  const markSeen = () =>
    updateTrayState({ seenAt: nowSeconds(), failedTotal, failedIds: failedItems.map(({ youtube_id: id }) => id) });
  const opener = useRef<Element | null>(null);
  const open = () => {
    opener.current = document.activeElement;
    setIsOpen(true);
  };
  // Without a running task the bar disappears.
  const dismiss = () => {
    markSeen();
    setIsOpen(false);
    const last = opener.current;
    if (last instanceof HTMLElement && last.isConnected && (first || last !== toggle.current)) last.focus();
    else document.getElementById('page')?.focus({ preventScroll: true });
  };
  const change = isOpen ? dismiss : open;
  const isWide = isTheater || pathname.startsWith('/shorts/');
  const summary = first ? describeRun(first, content) : describeEnd(content);
  useTrayKey(change);
  const title = summary?.title ?? '';
  const label = title || t`Nothing is running.`;
  // Announces the title, not the progress. It exists while empty, so that screen readers announce the next one.
  const status = (
    <p className="hidden" role="status">
      {title}
    </p>
  );
  // Nothing covers the controls of a player that fills the window.
  if (!isOpen && (isWide || !summary)) return status;
  return (
    <div className={styles.tray} data-tray>
      {status}
      {isOpen && <TrayPanel content={content} onClose={dismiss} />}
      <div className={styles.bar}>
        <button
          ref={toggle}
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          title={isOpen ? t`Close (Shift T)` : t`Open (Shift T)`}
          onClick={change}
        >
          <span className={styles.icon}>{summary?.icon ?? <IconCircleCheck aria-hidden />}</span>
          <span className={styles.text}>
            <strong>
              <span className="hidden">
                <Trans>Tasks and downloads:</Trans>{' '}
              </span>
              {label}
            </strong>
            {summary?.detail && (
              <span className="number">
                <bdi>{summary.detail}</bdi>
              </span>
            )}
          </span>
          {first && unseen.failures > 0 && (
            <span className={styles.failures}>
              <IconAlertTriangle aria-hidden />
              {t`${exactText(unseen.failures)} failed`}
            </span>
          )}
          {summary?.share !== undefined && <span className={`${styles.share} number`}>{percentText(summary.share)}</span>}
          <IconChevronUp className={styles.chevron} aria-hidden />
        </button>
        <span className={styles.slot}>
          {first && isStaff && <PauseIcon notice={first} />}
          {!first && !isOpen && (
            <IconButton label={t`Dismiss`} className={styles.barButton} onClick={dismiss}>
              <IconX aria-hidden />
            </IconButton>
          )}
        </span>
        {first && <ProgressBar progress={summary?.share} label={label} />}
      </div>
    </div>
  );
}
