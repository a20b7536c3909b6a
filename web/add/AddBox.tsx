import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { resolveQuery, type Resolved, type ResolvedItem } from '#web/api/queries/resolve.ts';
import { SubscriptionFields, useSubscriptionChoices } from '#web/subscription/SubscriptionFields.tsx';
import { exactText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { splitLines, useFailedLines } from '#web/runs/use-failed-lines.ts';
import { focusOnOpen } from '#web/ui/Dialog.tsx';
import { FailedLines } from '#web/ui/FailedLines.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import { getStored, setStored } from '#web/ui/use-local-storage.ts';
import { Actions } from './Actions.tsx';
import { isList, planActions, type Place } from './plan-actions.ts';
import { PreviewItem } from './PreviewItem.tsx';
import { useAddActions, type Action } from './use-add-actions.ts';
import styles from './AddBox.module.css';

const maxLength = 100_000;
const typingMs = 400;
const maxInvalid = 5;
const quickAddFrom = 6;
const storageKeys = {
  download: 'reelkeep.add-box',
  channel: 'reelkeep.add-box-channel',
  playlist: 'reelkeep.add-box-playlist',
} as const satisfies Record<Place, string>;

/** The text of a box. It survives an expired session and a page reload, except in a dialog. */
function useText(place: Place, given: string | undefined) {
  const isKept = given === undefined;
  const [text, setText] = useState(() => given ?? getStored(storageKeys[place], 'tab') ?? '');
  useEffect(() => {
    if (isKept) setStored(storageKeys[place], text || null, 'tab');
  }, [isKept, place, text]);
  return [text, setText] as const;
}

/** Returns the text to look up: a pasted text at once, a typed one after a pause. */
function useResolvableText(text: string) {
  const settled = useDebouncedValue(text, typingMs);
  return Math.abs(text.length - settled.length) > 2 ? text : settled;
}

function InvalidLines({ invalid, invalid_total: total }: Pick<Resolved, 'invalid' | 'invalid_total'>) {
  const visible = invalid.slice(0, maxInvalid);
  if (visible.length === 0) return null;
  const more = total - visible.length;
  return (
    <div className={styles.invalid}>
      <FailedLines failed={visible.map(({ line, message, messages }) => ({ line, reason: messageText(messages, message) }))} />
      {more > 0 && (
        <p>
          <Plural value={more} one="and # more line" other="and # more lines" />
        </p>
      )}
      <p>
        <Trans>Links to videos, channels and playlists are accepted, their IDs, and @handles.</Trans>
      </p>
    </div>
  );
}

interface Props {
  place?: Place;
  /** Runs before an action, which does not happen if it throws. */
  before?: (() => Promise<unknown>) | undefined;
  /** Text of a dialog; the default is the kept text of the page. */
  given?: string;
  /** A dialog: called when nothing is left to do. */
  onDone?: () => void;
  /** More buttons, before the actions. */
  children?: ReactNode;
}

/** Keeps what no action was started for: other items, and invalid lines. */
function restOf(text: string, items: readonly ResolvedItem[], { invalid }: Resolved) {
  const lines = new Set(invalid.map(({ line }) => line));
  const isInvalid = (line: string) => lines.has(line.length > 200 ? `${line.slice(0, 200)}…` : line);
  return [...items.map((item) => item.text), ...splitLines(text).filter(isInvalid)].join('\n');
}

/**
 * One field for links, IDs and @handles: shows what they point to, and the actions that fit. Enter runs the main action.
 * Nothing waits for the preview.
 */
export function AddBox({ place = 'download', before, given, onDone, children }: Props) {
  const { t } = useLingui();
  const id = useId();
  const isDialog = onDone !== undefined;
  const [text, setText] = useText(place, given);
  const [isFast, setIsFast] = useState(false);
  const [choices, setChoices] = useSubscriptionChoices();
  const restoreFailedLines = useCallback(
    (lines: string[]) => setText((now) => [...lines, ...splitLines(now)].join('\n')),
    [setText],
  );
  const { failed, follow } = useFailedLines(restoreFailedLines);
  const isTooLong = text.length > maxLength;
  const isEmpty = text.trim() === '';
  const resolvable = useResolvableText(text).trim();
  const query = useQuery({ ...resolveQuery(resolvable), enabled: !isEmpty && !isTooLong && resolvable !== '' });
  const resolved = isEmpty || isTooLong ? undefined : query.data;
  // The answer for another text is only a picture of what was there.
  const plan = resolved && !query.isPlaceholderData && resolvable === text.trim() ? planActions(resolved, place) : null;
  const form: RefObject<HTMLFormElement | null> = useRef(null);
  const act = useAddActions({
    place,
    choices,
    isFast,
    before,
    onOpened: () => {
      setText('');
      onDone?.();
    },
    onStarted: (taskIds, lines, rest) => {
      follow(taskIds, lines);
      const left = rest && resolved ? restOf(text, rest, resolved) : '';
      setText(left);
      if (left === '') onDone?.();
    },
  });
  const run = (action: Action) => {
    if (!isEmpty && !isTooLong && !act.isPending) act.mutate({ text: text.trim(), action });
  };
  const remove = (item: ResolvedItem) => {
    if (!resolved) return;
    setText(restOf(text, resolved.items.filter((one) => one !== item), resolved)); // prettier-ignore
    form.current?.querySelector('textarea')?.focus();
  };
  const isLong =
    plan?.primary === 'download' && (plan.isWholeText || plan.downloads.length >= quickAddFrom || plan.downloads.some(isList));
  return (
    <form
      ref={form}
      className={`${styles.box} ${isDialog ? '' : styles.framed}`}
      onSubmit={(event) => {
        event.preventDefault();
        run('primary');
      }}
    >
      <label htmlFor={id} className="hidden">
        <Trans>Paste links to videos, channels or playlists</Trans>
      </label>
      <textarea
        id={id}
        ref={isDialog && isEmpty ? focusOnOpen : undefined}
        className={styles.text}
        rows={1}
        value={text}
        placeholder={t`Paste a link, ID or @handle`}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          if (text.includes('\n') && !event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          run('primary');
        }}
      />
      <FailedLines failed={failed} />
      {isTooLong && (
        <p className={styles.invalid} role="alert">
          <Trans>The text is longer than {exactText(maxLength)} characters. Add it in several parts.</Trans>
        </p>
      )}
      {resolved && resolved.items.length > 0 && (
        <ul className={styles.items} aria-label={t`Preview`} tabIndex={0}>
          {resolved.items.map((item) => (
            <PreviewItem
              key={`${item.what} ${item.url}`}
              item={item}
              onOpen={() => onDone?.()}
              onRemove={resolved.items.length > 1 && !plan?.isWholeText ? () => remove(item) : null}
            />
          ))}
        </ul>
      )}
      {resolved && resolved.total > resolved.items.length && (
        <p className={styles.more}>
          <Trans>and {exactText(resolved.total - resolved.items.length)} more</Trans>
        </p>
      )}
      {resolved && <InvalidLines {...resolved} />}
      {query.isError && !isEmpty && (
        <p className={styles.problem} role="alert">
          {query.error.message}
        </p>
      )}
      {!isEmpty && !isTooLong && (
        <div className={styles.footer}>
          {plan && plan.subscriptions.length > 0 && (
            <div className={styles.choices}>
              <SubscriptionFields choices={choices} onChange={setChoices} />
            </div>
          )}
          {isLong && (
            <Switch
              label={t`Quick add`}
              help={t`Skips details until download; best for long lists`}
              isOn={isFast}
              onChange={setIsFast}
            />
          )}
          <div className={styles.actions}>
            {children}
            <Actions
              plan={plan}
              total={resolved?.total ?? 0}
              isBusy={act.isPending}
              primaryRef={isDialog ? focusOnOpen : undefined}
              onAction={run}
            />
          </div>
        </div>
      )}
    </form>
  );
}
