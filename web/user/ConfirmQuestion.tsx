import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Confirmation } from '#contract/user.ts';
import { sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Note } from '#web/ui/Note.tsx';
import type { Asked } from './asked.ts';
import { ConfirmationField, isEnough } from './confirmation.tsx';
import { useConfig } from './queries.ts';

/** What is about to be deleted by itself, and the field that confirms it. */
export function ConfirmQuestion({ going, attempt, done, cancel }: Asked & { going: Confirmation }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const { by, videos, media_size } = going;
  const size = sizeText(media_size, useConfig()?.file_size_unit);
  const again = useMutation({ mutationFn: () => attempt({ confirm: typed }), onSuccess: done });
  const isReady = isEnough(by, typed, videos);
  return (
    <Dialog title={t`Delete that much by itself?`} onClose={cancel}>
      <p>
        <Plural
          value={videos}
          one={`# video (${size}) goes at the next round because of this.`}
          other={`# videos (${size}) go at the next round because of this.`}
        />
      </p>
      <ConfirmationField by={by} videos={videos} typed={typed} onType={setTyped} onEnter={() => isReady && again.mutate()} />
      {again.isError && <Note kind="danger">{again.error.message}</Note>}
      <DialogActions>
        <Button onClick={cancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="danger" disabled={!isReady} isBusy={again.isPending} onClick={() => again.mutate()}>
          <Plural value={videos} one="Save, and delete # video" other="Save, and delete # videos" />
        </Button>
      </DialogActions>
    </Dialog>
  );
}
