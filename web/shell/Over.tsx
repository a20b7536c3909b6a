import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { choices } from '#web/player/choices.ts';
import { plainKey } from '#web/player/key-name.ts';
import { isTyping } from '#web/ui/typing.ts';
import { useIsStaff } from '#web/user/queries.ts';
import { useTypedAhead } from './typed-ahead.ts';
import { useGivenLinks } from './use-given-links.ts';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const KeyHelp = lazy(async () => ({ default: (await import('#web/player/KeyHelp.tsx')).KeyHelp }));
const LinkOffer = lazy(async () => ({ default: (await import('./LinkOffer.tsx')).LinkOffer }));

/** The list of keys, at a question mark that nothing else took: a player shows it over itself. */
function useKeyHelp() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const look = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.altKey || event.metaKey || isTyping(event) || choices().keys === 'off')
        return;
      setTimeout(() => {
        if (!event.defaultPrevented) setIsOpen(true);
      });
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, []);
  return [isOpen, setIsOpen] as const;
}

/** What opens over every page: the palette, the list of keys, and what to do with links that were pasted or dropped. */
export function Over({ isPalette, onPalette }: { isPalette: boolean; onPalette(isOpen: boolean): void }) {
  const given = useGivenLinks(useIsStaff());
  const [typed, setTyped] = useState<string[]>([]);
  useEffect(() => {
    const look = (event: KeyboardEvent) => {
      if (plainKey(event) !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onPalette(true);
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [onPalette]);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isThere = useCallback(() => field.current !== null && document.activeElement === field.current, []);
  const close = useCallback(() => {
    onPalette(false);
    setText('');
  }, [onPalette]);
  useTypedAhead({ isOn: isPalette, isThere, onText: setText, onClose: close });
  const [isKeyHelp, setIsKeyHelp] = useKeyHelp();
  const links = typed.length > 0 ? typed : given.links;
  return (
    <Suspense>
      {isPalette && (
        <Palette
          field={field}
          text={text}
          onText={setText}
          onClose={close}
          onLinks={setTyped}
          onKeys={() => setIsKeyHelp(true)}
        />
      )}
      {isKeyHelp && <KeyHelp onClose={() => setIsKeyHelp(false)} />}
      {links.length > 0 && (
        <LinkOffer
          key={links.join(' ')}
          links={links}
          onClose={() => {
            setTyped([]);
            given.done();
          }}
        />
      )}
    </Suspense>
  );
}
