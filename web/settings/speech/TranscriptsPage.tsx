import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { speechQuery } from '#web/api/queries/speech.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { ApplicationPage } from '../archive/ApplicationPage.tsx';
import { GeneratedChapters } from './GeneratedChapters.tsx';
import { MeaningIndex } from './MeaningIndex.tsx';
import { MissingTranscripts } from './MissingTranscripts.tsx';
import { SpeechEngine } from './SpeechEngine.tsx';

/** Settings of transcripts, with what is left to do and the speech engine. */
export function TranscriptsPage() {
  const query = useQuery(speechQuery);
  // Loaded at the same time.
  useQuery(settingsQuery);
  return (
    <QueryBoundary query={query} skeleton={400}>
      {(speech) => (
        <ApplicationPage
          path="application/transcripts"
          extra={{
            transcripts: <MissingTranscripts speech={speech} />,
            speech: <SpeechEngine speech={speech} />,
            chapters: <GeneratedChapters />,
          }}
          below={{ meaning: <MeaningIndex /> }}
        />
      )}
    </QueryBoundary>
  );
}
