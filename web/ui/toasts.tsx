import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
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

/** Says something in passing, at the edge of the page. */
export const useToast = () => useContext(Context);

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const next = useRef(0);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const say = useCallback<Say>(
    (text, more) => {
      const id = next.current++;
      setToasts((all) => [...all.slice(-2), { id, text, ...more }]);
      setTimeout(() => drop(id), more?.action ? undoableMs : shownMs);
    },
    [drop],
  );
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
  const list = useMemo(
    () =>
      toasts.map(({ id, text, action, isDanger }) => (
        <div key={id} className={`${styles.toast} ${isDanger ? styles.danger : ''}`}>
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
      )),
    [toasts, drop],
  );
  return (
    <Context value={say}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite">
        {list}
      </div>
    </Context>
  );
}
