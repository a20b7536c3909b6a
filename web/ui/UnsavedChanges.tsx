import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './Button.tsx';
import { Dialog, DialogActions, focusOnOpen } from './Dialog.tsx';

/** Asks before a form with a Save button is left with changes. */
export function UnsavedChanges({ isChanged }: { isChanged: boolean }) {
  const { t } = useLingui();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  // The browser asks when the tab is closed.
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={t`Discard your changes?`} onClose={blocker.reset}>
      <p>
        <Trans>What you changed on this page is not saved yet.</Trans>
      </p>
      <DialogActions>
        <Button onClick={blocker.proceed}>
          <Trans>Discard</Trans>
        </Button>
        <Button ref={focusOnOpen} kind="primary" onClick={blocker.reset}>
          <Trans>Keep editing</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  );
}
