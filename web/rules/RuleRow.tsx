import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Field, Select } from '#web/ui/Field.tsx';
import { settingTexts } from '#web/setting-fields/setting-texts.ts';
import { isInMinutes, formatRuleValue, parseRuleValue, type OwnRules, type Rules } from './rules.ts';
import styles from './SourceRules.module.css';

type Rule = Exclude<keyof Rules, 'skip_members_only'>;

interface Props<R> {
  rule: R;
  /** Rules of the global settings. */
  all: Rules;
  own: OwnRules;
  /** Undefined removes the channel's own rule, so that the global one applies. */
  onChange(rule: keyof Rules, value: Rules[keyof Rules] | undefined): void;
}

const inputTypes: Partial<Record<Rule, 'date' | 'number'>> = {
  min_seconds: 'number',
  max_seconds: 'number',
  published_after: 'date',
  keep_newest: 'number',
  keep_days: 'number',
};

/** One rule: the global default, a custom value, or no limit. */
export function RuleRow({ rule, all, own, isAdded, onChange }: Props<Rule> & { isAdded: boolean }) {
  const { t } = useLingui();
  const value = own[rule];
  // A rule that was just added waits for its value.
  const [isTyping, setIsTyping] = useState(isAdded && value === undefined);
  const [typed, setTyped] = useState(formatRuleValue(rule, value));
  const { label, help } = settingTexts.rules[rule] as (typeof settingTexts)['rules']['title_include'];
  const units: Partial<Record<Rule, string>> = { keep_newest: t`videos`, keep_days: t`days` };
  const unit = isInMinutes(rule) ? t`minutes` : units[rule];
  const name = t(label);
  const mode = isTyping || (value !== null && value !== undefined) ? 'own' : value === null ? 'none' : 'all';
  const inherited = formatRuleValue(rule, all[rule]);
  return (
    <div className={styles.row}>
      <Select
        label={name}
        value={mode}
        choices={[
          {
            value: 'all',
            label: inherited ? t`Default (${[inherited, unit].filter(Boolean).join(' ')})` : t`Default (no limit)`,
          },
          { value: 'own', label: t`Custom` },
          ...(inherited || mode === 'none' ? [{ value: 'none', label: t`No limit` }] : []),
        ]}
        onChange={({ target }) => {
          setIsTyping(target.value === 'own');
          if (target.value === 'own') onChange(rule, parseRuleValue(rule, typed) ?? undefined);
          else onChange(rule, target.value === 'none' ? null : undefined);
        }}
      />
      {mode === 'own' && (
        <Field
          label={unit ? t`${name} (${unit})` : t`${name}: custom value`}
          help={help && t(help)}
          type={inputTypes[rule] ?? 'text'}
          {...(inputTypes[rule] === 'number' && { min: 0, step: 'any', inputMode: 'decimal' })}
          maxLength={500}
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setIsTyping(true);
            setTyped(target.value);
            onChange(rule, parseRuleValue(rule, target.value) ?? undefined);
          }}
        />
      )}
    </div>
  );
}

/** Whether members-only videos are skipped. */
export function MembersOnlyRow({ all, own, onChange }: Omit<Props<never>, 'rule'>) {
  const { t } = useLingui();
  const value = own.skip_members_only;
  return (
    <div className={styles.row}>
      <Select
        label={t`Members-only videos`}
        value={value === undefined ? 'all' : value ? 'out' : 'in'}
        choices={[
          { value: 'all', label: all.skip_members_only ? t`Default (skip)` : t`Default (download)` },
          { value: 'out', label: t`Skip` },
          { value: 'in', label: t`Download` },
        ]}
        onChange={({ target }) => onChange('skip_members_only', target.value === 'all' ? undefined : target.value === 'out')}
      />
    </div>
  );
}
