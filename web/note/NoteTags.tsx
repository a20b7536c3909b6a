import { useLingui } from '@lingui/react/macro';
import { tagField } from '#web/tag/TagInput.tsx';
import { isSameTag, tagName } from '#web/tag/tag-name.ts';
import { TagsField } from '#web/tag/TagsField.tsx';

/** The tags of a form, with one that is typed but not added yet. */
export function typedTags(tags: string[], values: FormData): string[] {
  const name = tagName(String(values.get(tagField) ?? ''));
  return name && !tags.some((tag) => isSameTag(tag, name)) ? [...tags, name] : tags;
}

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
