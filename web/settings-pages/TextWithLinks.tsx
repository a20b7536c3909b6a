import { lazy, Suspense } from 'react';

const LinkedText = lazy(async () => ({ default: (await import('./LinkedText.tsx')).LinkedText }));

/** A message of the server, in which pages and fields of the settings are links. Their table is loaded only for texts that name one. */
export const TextWithLinks = ({ text }: { text: string }) =>
  text.includes(' → ') ? (
    <Suspense fallback={text}>
      <LinkedText text={text} />
    </Suspense>
  ) : (
    text
  );
