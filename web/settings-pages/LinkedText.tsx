import { useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { splitReferences } from './split-references.ts';
import { listSettings } from './list-settings.ts';

/** A text whose “Settings → Page” and “Field” lead there. */
export function LinkedText({ text }: { text: string }) {
  const { t } = useLingui();
  const entries = listSettings({ isStaff: true, hasNodes: true }).map(({ to, label }) => ({ to, label: t(label) }));
  return splitReferences(text, { settings: t`Settings`, entries }).map(({ text: part, to }, index) =>
    to ? (
      <Link key={index} to={to}>
        {part}
      </Link>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
