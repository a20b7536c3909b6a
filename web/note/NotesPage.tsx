import { useParams } from 'react-router';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';

const AllClips = lazyComponent(async () => (await import('./AllClips.tsx')).AllClips);
const AllNotes = lazyComponent(async () => (await import('./AllNotes.tsx')).AllNotes);

/** All notes of the user, or all clips. */
export function NotesPage() {
  const Content = useParams()['tab'] === 'clips' ? AllClips : AllNotes;
  return <Content fallback={<Skeleton height={300} />} />;
}
