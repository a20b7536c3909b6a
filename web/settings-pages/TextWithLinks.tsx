import { lazyComponent } from '#web/ui/lazy-component.tsx';

const LinkedText = lazyComponent(async () => (await import('./LinkedText.tsx')).LinkedText);

/** A message of the server, in which pages and fields of the settings are links. Their table is loaded only for texts that name one. */
export const TextWithLinks = ({ text }: { text: string }) =>
  text.includes(' → ') ? <LinkedText text={text} fallback={text} /> : text;
