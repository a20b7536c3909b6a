import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import styles from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run(): void };
  isDanger?: boolean;
}
type Say = (text: string, more?: Omit<Toast, 'id' | 'text'>) => void;

const shownMs = 6000;
// Long enough to read it, to be startled, and to get there.
const undoableMs = 10_000;
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
