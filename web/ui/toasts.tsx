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
import { isTyping } from './is-typing.ts';
import styles from './toasts.module.css';

interface Toast {
  id: number;
  text: string;
  /** Undo action, or a link when `isNavigation` is set. */
  action?: { label: string; run(): void; isNavigation?: true };
  isDanger?: boolean;
}
export type ShowToast = (text: string, more?: Omit<Toast, 'id' | 'text'>) => void;

const visibleMs = 6000;
// Enough time to read the toast and reach its button.
const undoableMs = 10_000;
const isUndo = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  // By key position on keyboards with another script.
  (event.key.toLowerCase() === 'z' || (event.key > '\x7f' && event.code === 'KeyZ'));
const Context = createContext<ShowToast>(() => {});

interface ToastState {
  toasts: Toast[];
  remove(id: number): void;
  /** Id of the topmost dialog, which shows the toasts. */
  dialogId: string | undefined;
  /** Registers an open dialog. Returns the function that unregisters it. */
  open(dialogId: string): () => void;
}
const ToastStateContext = createContext<ToastState>({ toasts: [], remove() {}, dialogId: undefined, open: () => () => {} });

/** Returns the function that shows a toast. */
export const useToast = () => useContext(Context);

interface ToastItemProps {
  toast: Toast;
  remove(id: number): void;
}

/** A toast. Its timeout restarts when the pointer or focus leaves it. */
function ToastItem({ toast: { id, text, action, isDanger }, remove }: ToastItemProps) {
  const [isOver, setIsOver] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isPaused = isOver || hasFocus;
  const ms = action ? undoableMs : visibleMs;
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => remove(id), ms);
    return () => clearTimeout(timer);
  }, [isPaused, ms, remove, id]);
  const onKeyDown = (event: Press) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    remove(id);
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
            remove(id);
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

/** F6 moves the focus to the latest toast and back. */
function useToastFocusKey(stack: RefObject<HTMLElement | null>, hasToasts: boolean) {
  const previousFocus = useRef<Element | null>(null);
  useEffect(() => {
    if (!hasToasts) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.defaultPrevented) return;
      event.preventDefault();
      const { activeElement } = document;
      if (stack.current?.contains(activeElement)) {
        if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus();
        return;
      }
      previousFocus.current = activeElement;
      const last = [...(stack.current?.querySelectorAll<HTMLElement>('[data-toast]') ?? [])].at(-1);
      (last?.querySelector('button') ?? last)?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [stack, hasToasts]);
}

/** The live region of the toasts. It exists while empty, so that screen readers announce new ones. */
function ToastStack({ toasts, remove }: { toasts: Toast[]; remove(id: number): void }) {
  const { t } = useLingui();
  const stack = useRef<HTMLDivElement>(null);
  useToastFocusKey(stack, toasts.length > 0);
  return (
    <div ref={stack} className={styles.stack} role="status" aria-live="polite" aria-label={t`Notifications`}>
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} remove={remove} />
      ))}
    </div>
  );
}

/** Toast region inside a dialog: the rest of the page is inert while a modal dialog is open. */
export function ToastRegion() {
  const id = useId();
  const { toasts, remove, dialogId, open } = useContext(ToastStateContext);
  useLayoutEffect(() => open(id), [open, id]);
  return <ToastStack toasts={dialogId === id ? toasts : []} remove={remove} />;
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const [openDialogs, setOpenDialogs] = useState<string[]>([]);
  const next = useRef(0);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const showToast = useCallback<ShowToast>((text, more) => {
    const id = next.current++;
    setToasts((all) => [...all.slice(-2), { id, text, ...more }]);
  }, []);
  const open = useCallback((dialogId: string) => {
    setOpenDialogs((all) => [...all, dialogId]);
    return () => setOpenDialogs((all) => all.filter((one) => one !== dialogId));
  }, []);
  // Ctrl+Z undoes the latest action without reaching for the button.
  useEffect(() => {
    const last = toasts.findLast(({ action }) => action && !action.isNavigation);
    if (!last) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || !isUndo(event) || isTyping(event)) return;
      event.preventDefault();
      last.action?.run();
      remove(last.id);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [toasts, remove]);
  const dialogId = openDialogs.at(-1);
  const state = useMemo(() => ({ toasts, remove, dialogId, open }), [toasts, remove, dialogId, open]);
  return (
    <Context value={showToast}>
      <ToastStateContext value={state}>
        {children}
        <ToastStack toasts={dialogId === undefined ? toasts : []} remove={remove} />
      </ToastStateContext>
    </Context>
  );
}
