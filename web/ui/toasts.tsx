import { useLingui } from '@lingui/react/macro';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent as Press,
  type ReactNode,
  type RefObject,
} from 'react';
import { isTyping } from './typing.ts';
import styles from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  /** What can be done about it: to take it back, unless it only leads elsewhere. */
  action?: { label: string; run(): void; isWay?: true };
  isDanger?: boolean;
}
type Say = (text: string, more?: Omit<Toast, 'id' | 'text'>) => void;

const shownMs = 6000;
// Long enough to read it, to be startled, and to get there.
const undoableMs = 10_000;
const isUndo = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  // By its place where another script is written with it.
  (event.key.toLowerCase() === 'z' || (event.key > '\x7f' && event.code === 'KeyZ'));
const Context = createContext<Say>(() => {});

interface Shown {
  toasts: Toast[];
  drop(id: number): void;
  /** The dialog that was opened last, where they are shown then. */
  place: string | undefined;
  /** Says that a dialog is open; answers what says that it is closed. */
  open(place: string): () => void;
}
const ShownContext = createContext<Shown>({ toasts: [], drop() {}, place: undefined, open: () => () => {} });

/** Says something in passing, at the edge of the page. */
export const useToast = () => useContext(Context);

interface OneProps {
  toast: Toast;
  drop(id: number): void;
}

/** One thing that was said. Its time stands still while the pointer is on it, or the focus in it, and then begins anew. */
function One({ toast: { id, text, action, isDanger }, drop }: OneProps) {
  const [isOver, setIsOver] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isHeld = isOver || hasFocus;
  const ms = action ? undoableMs : shownMs;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => drop(id), ms);
    return () => clearTimeout(timer);
  }, [isHeld, ms, drop, id]);
  const onKeyDown = (event: Press) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    drop(id);
  };
  return (
    <div
      className={`${styles.toast} ${isDanger ? styles.danger : ''}`}
      data-toast
      tabIndex={-1}
      onPointerEnter={() => setIsOver(true)}
      onPointerLeave={() => setIsOver(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
      onKeyDown={onKeyDown}
    >
      <span>{text}</span>
      {action && (
        <button
          type="button"
          onClick={() => {
            action.run();
            drop(id);
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

/** F6 goes to what was said last, and from there back to where the focus was. */
function useWayThere(stack: RefObject<HTMLElement | null>, isAny: boolean) {
  const from = useRef<Element | null>(null);
  useEffect(() => {
    if (!isAny) return;
    const look = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.defaultPrevented) return;
      event.preventDefault();
      const { activeElement } = document;
      if (stack.current?.contains(activeElement)) {
        if (from.current instanceof HTMLElement) from.current.focus();
        return;
      }
      from.current = activeElement;
      const last = [...(stack.current?.querySelectorAll<HTMLElement>('[data-toast]') ?? [])].at(-1);
      (last?.querySelector('button') ?? last)?.focus();
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [stack, isAny]);
}

/** What was said; also empty it is there, so that a screen reader hears of what comes. */
function Stack({ toasts, drop }: { toasts: Toast[]; drop(id: number): void }) {
  const { t } = useLingui();
  const stack = useRef<HTMLDivElement>(null);
  useWayThere(stack, toasts.length > 0);
  return (
    <div ref={stack} className={styles.stack} role="status" aria-live="polite" aria-label={t`Notices`}>
      {toasts.map((toast) => (
        <One key={toast.id} toast={toast} drop={drop} />
      ))}
    </div>
  );
}

/**
 * What is said in passing while a dialog is open, which this is a part of: everything beside the dialog lies under it, and neither
 * the pointer nor the focus nor a screen reader gets there.
 */
export function Notices() {
  const id = useId();
  const { toasts, drop, place, open } = useContext(ShownContext);
  useLayoutEffect(() => open(id), [open, id]);
  return <Stack toasts={place === id ? toasts : []} drop={drop} />;
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [places, setPlaces] = useState<string[]>([]);
  const next = useRef(0);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const say = useCallback<Say>((text, more) => {
    const id = next.current++;
    setToasts((all) => [...all.slice(-2), { id, text, ...more }]);
  }, []);
  const open = useCallback((place: string) => {
    setPlaces((all) => [...all, place]);
    return () => setPlaces((all) => all.filter((one) => one !== place));
  }, []);
  // Who goes by keys may not get to the button in time.
  useEffect(() => {
    const last = toasts.findLast(({ action }) => action && !action.isWay);
    if (!last) return;
    const look = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || !isUndo(event) || isTyping(event)) return;
      event.preventDefault();
      last.action?.run();
      drop(last.id);
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [toasts, drop]);
  const place = places.at(-1);
  const shown = useMemo(() => ({ toasts, drop, place, open }), [toasts, drop, place, open]);
  return (
    <Context value={say}>
      <ShownContext value={shown}>
        {children}
        <Stack toasts={place === undefined ? toasts : []} drop={drop} />
      </ShownContext>
    </Context>
  );
}
