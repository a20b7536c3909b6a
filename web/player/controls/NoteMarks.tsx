import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { IconBookmarkFilled, IconMessageFilled, IconQuoteFilled } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Note } from '#contract/note.ts';
import { rangeText } from '#web/format/range-text.ts';
import { seekToTime } from '../commands/actions.ts';
import { mediaElement } from '../state/player-store.ts';
import { groupNotes, hasTime, type TimedNote } from './group-notes.ts';
import styles from './NoteMarks.module.css';

const icons = { note: IconMessageFilled, bookmark: IconBookmarkFilled, highlight: IconQuoteFilled };

/** Width of a mark, the smallest target of WCAG 2.5.8. */
const markPx = 24;
const visibleCharacters = 200;
const visibleNotes = 4;

const share = (seconds: number, length: number) => (100 * Math.min(seconds, length)) / length;

// Bold, code and what begins a heading, a quote or a list item.
const markup = /\*\*|__|`|^\s*(?:#+|>|[-*])\s+/gm;

const cut = (text: string) => (text.length > visibleCharacters ? `${text.slice(0, visibleCharacters)}…` : text);

/** Returns what a note says, and its time. */
function useNoteTexts() {
  const { t } = useLingui();
  const names: Record<Note['kind'], string> = { note: t`Note`, bookmark: t`Bookmark`, highlight: t`Highlight` };
  return ({ kind, start, end, text, quote }: TimedNote) => ({
    time: rangeText(start, end),
    text: cut(text.replace(markup, '') || quote || names[kind]),
    name: names[kind],
  });
}

function Bubble({ notes, length }: { notes: TimedNote[]; length: number }) {
  const textsOf = useNoteTexts();
  const left = share(notes[0]!.start, length);
  const hidden = notes.length - visibleNotes;
  return (
    <div className={styles.bubble} style={{ left: `${left}%`, translate: `-${left}%` }} aria-hidden>
      {notes.slice(0, visibleNotes).map((note) => {
        const Icon = icons[note.kind];
        const { time, text } = textsOf(note);
        return (
          <p key={note.id}>
            <Icon />
            <span className="number">{time}</span>
            <span className={styles.text} dir="auto">
              {text}
            </span>
          </p>
        );
      })}
      {hidden > 0 && <p className={`${styles.more} number`}>+{hidden}</p>}
    </div>
  );
}

/** Marks above the time bar for the notes, bookmarks and highlights of the video. A click seeks. */
export function NoteMarks({ notes, length }: { notes: Note[]; length: number }) {
  const { t } = useLingui();
  const row = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [reachable, setReachable] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  const textsOf = useNoteTexts();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(row.current!.clientWidth));
    setWidth(row.current!.clientWidth);
    observer.observe(row.current!);
    return () => observer.disconnect();
  }, []);
  // Escape hides the text and leaves the theater mode as it is (WCAG 1.4.13).
  useEffect(() => {
    if (shown === null) return;
    const dismiss = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopImmediatePropagation();
      setShown(null);
    };
    addEventListener('keydown', dismiss, { capture: true });
    return () => removeEventListener('keydown', dismiss, { capture: true });
  }, [shown]);
  const timed = notes.filter(hasTime);
  const groups = width === 0 ? [] : groupNotes(timed, (markPx / width) * length);
  const current = Math.min(reachable, groups.length - 1);
  // The row is one stop of the Tab key.
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: groups.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    row.current!.querySelectorAll('button')[Math.max(0, Math.min(to, groups.length - 1))]?.focus();
  };
  const labelOf = (group: TimedNote[]) => {
    const count = group.length;
    const texts = group.slice(0, visibleNotes).map((note) => {
      const { name, time, text } = textsOf(note);
      return text === name ? t`${name} at ${time}` : t`${name} at ${time}: ${text}`;
    });
    return count === 1 ? texts[0] : `${plural(count, { one: '# note', other: '# notes' })}. ${texts.join('. ')}`;
  };
  return (
    <div ref={row} className={styles.row} role="group" aria-label={t`Notes`} onKeyDown={onKeyDown}>
      {timed.map(
        ({ id, start, end }) =>
          end !== null && (
            <span
              key={id}
              className={styles.range}
              style={{ left: `${share(start, length)}%`, width: `${share(end, length) - share(start, length)}%` }}
            />
          ),
      )}
      {groups.map((group, index) => {
        const [{ id, kind, start }] = group as [TimedNote];
        const Icon = icons[kind];
        return (
          <button
            key={id}
            type="button"
            className={styles.mark}
            style={{ left: `${share(start, length)}%` }}
            data-kind={group.length === 1 ? kind : 'group'}
            aria-label={labelOf(group)}
            tabIndex={index === current ? 0 : -1}
            onPointerEnter={() => setShown(index)}
            onPointerLeave={() => setShown(null)}
            onFocus={({ currentTarget }) => {
              setReachable(index);
              if (currentTarget.matches(':focus-visible')) setShown(index);
            }}
            onBlur={() => setShown(null)}
            onClick={() => {
              const element = mediaElement();
              if (element) seekToTime(element, start);
            }}
          >
            {group.length === 1 ? <Icon aria-hidden /> : <span className="number">{group.length}</span>}
          </button>
        );
      })}
      {shown !== null && groups[shown] && <Bubble notes={groups[shown]} length={length} />}
    </div>
  );
}
