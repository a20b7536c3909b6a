import { useLingui } from '@lingui/react/macro';
import { TagsField } from '#web/tag/TagsField.tsx';

/** The tags in the form of a note. */
export function NoteTags({ tags, onChange }: { tags: string[]; onChange(tags: string[]): void }) {
  const { t } = useLingui();
  return (
    <TagsField
      label={t`Tags of the note`}
      tags={tags}
      onAdd={(tag) => onChange([...tags, tag])}
      onRemove={(tag) => onChange(tags.filter((one) => one !== tag))}
    />
  );
}
