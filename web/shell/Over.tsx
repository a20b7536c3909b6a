import { lazy, Suspense, useEffect, useState } from 'react';
import { useIsStaff } from '#web/user/queries.ts';
import { useGivenLinks } from './use-given-links.ts';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const LinkOffer = lazy(async () => ({ default: (await import('./LinkOffer.tsx')).LinkOffer }));

/** What opens over every page: the palette, and what to do with links that were pasted or dropped. */
export function Over({ isPalette, onPalette }: { isPalette: boolean; onPalette(isOpen: boolean): void }) {
  const given = useGivenLinks(useIsStaff());
  const [typed, setTyped] = useState<string[]>([]);
  useEffect(() => {
    const look = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      onPalette(true);
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [onPalette]);
  const links = typed.length > 0 ? typed : given.links;
  return (
    <Suspense>
      {isPalette && <Palette onClose={() => onPalette(false)} onLinks={setTyped} />}
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
