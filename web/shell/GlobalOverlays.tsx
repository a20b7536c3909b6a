import { useCallback, useEffect, useRef, useState } from 'react';
import { preferences } from '#web/player/state/player-preferences.ts';
import { plainKey } from '#web/player/shortcuts/key-name.ts';
import { isTyping } from '#web/ui/is-typing.ts';
import { useIsStaff } from '#web/api/account.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useBufferTyping } from './buffer-typing.ts';
import { useDroppedLinks } from './use-given-links.ts';

const Palette = lazyComponent(async () => (await import('./Palette.tsx')).Palette);
const KeyHelp = lazyComponent(async () => (await import('#web/player/shortcuts/KeyHelp.tsx')).KeyHelp);
const AddDialog = lazyComponent(async () => (await import('#web/add/AddDialog.tsx')).AddDialog);

/** Calls back on "?", unless the player has handled the key. */
function useKeyHelpKey(onKeyHelp: (isOpen: true) => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event) || preferences().keys === 'off')
        return;
      setTimeout(() => {
        if (!event.defaultPrevented) onKeyHelp(true);
      });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onKeyHelp]);
}

/** Overlays of every page: command palette, keyboard shortcuts, and the dialog that adds links. */
export function GlobalOverlays({
  isPalette,
  onPalette,
  isKeyHelp,
  onKeyHelp,
  addText,
  onAdd,
}: {
  isPalette: boolean;
  onPalette(isOpen: boolean): void;
  isKeyHelp: boolean;
  onKeyHelp(isOpen: boolean): void;
  /** Text of the dialog that adds links; null: it is closed. */
  addText: string | null;
  onAdd(text: string | null): void;
}) {
  useDroppedLinks(useIsStaff(), onAdd);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (plainKey(event) !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onPalette(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onPalette]);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isFocused = useCallback(() => field.current !== null && document.activeElement === field.current, []);
  const close = useCallback(() => {
    onPalette(false);
    setText('');
  }, [onPalette]);
  useBufferTyping({ isOn: isPalette, isFocused, onText: setText, onClose: close });
  useKeyHelpKey(onKeyHelp);
  return (
    <>
      {isPalette && (
        <Palette
          field={field}
          text={text}
          onText={setText}
          onClose={close}
          onLinks={(links) => onAdd(links.join('\n'))}
          onKeys={() => onKeyHelp(true)}
        />
      )}
      {isKeyHelp && <KeyHelp onClose={() => onKeyHelp(false)} />}
      {addText !== null && <AddDialog key={addText} text={addText} onClose={() => onAdd(null)} />}
    </>
  );
}
