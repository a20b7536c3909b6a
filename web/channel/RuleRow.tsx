import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Field, Select } from '#web/ui/Field.tsx';
import { settingTexts } from '#web/settings/setting-texts.ts';
import { inMinutes, typedOf, valueOf, type OwnRules, type Rules } from './rules.ts';
import styles from './ChannelRules.module.css';

type Rule = Exclude<keyof Rules, 'skip_members_only'>;

interface Props<R> {
  rule: R;
  /** What holds for all sources. */
  all: Rules;
  own: OwnRules;
  /** Undefined: as for all. */
  onChange(rule: keyof Rules, value: Rules[keyof Rules] | undefined): void;
}

const shapes: Partial<Record<Rule, 'date' | 'number'>> = {
  min_seconds: 'number',
  max_seconds: 'number',
  published_after: 'date',
  keep_newest: 'number',
  keep_days: 'number',
};

/** One rule: as for all sources, one of its own, or none. */
export function RuleRow({ rule, all, own, onChange }: Props<Rule>) {
  const { t } = useLingui();
  const value = own[rule];
  const [isTyping, setIsTyping] = useState(false);
  const [typed, setTyped] = useState(typedOf(rule, value));
  const { label, help } = settingTexts.rules[rule] as (typeof settingTexts)['rules']['title_include'];
  const units: Partial<Record<Rule, string>> = { keep_newest: t`videos`, keep_days: t`days` };
  const unit = inMinutes(rule) ? t`minutes` : units[rule];
  const name = t(label);
  const way = isTyping || (value !== null && value !== undefined) ? 'own' : value === null ? 'none' : 'all';
  const forAll = typedOf(rule, all[rule]);
  return (
    <div className={styles.row}>
      <Select
        label={name}
        value={way}
        choices={[
          { value: 'all', label: forAll ? t`As for all: ${[forAll, unit].filter(Boolean).join(' ')}` : t`As for all: no rule` },
          { value: 'own', label: t`Its own` },
          ...(forAll || way === 'none' ? [{ value: 'none', label: t`No such rule here` }] : []),
        ]}
        onChange={({ target }) => {
          setIsTyping(target.value === 'own');
          if (target.value === 'own') onChange(rule, valueOf(rule, typed) ?? undefined);
          else onChange(rule, target.value === 'none' ? null : undefined);
        }}
      />
      {way === 'own' && (
        <Field
          label={unit ? t`${name} (${unit})` : t`${name}: its own`}
          help={help && t(help)}
          type={shapes[rule] ?? 'text'}
          {...(shapes[rule] === 'number' && { min: 0, step: 'any', inputMode: 'decimal' })}
          maxLength={500}
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setIsTyping(true);
            setTyped(target.value);
            onChange(rule, valueOf(rule, target.value) ?? undefined);
          }}
        />
      )}
    </div>
  );
}

/** Whether what is for members only is left out. */
export function MembersRow({ all, own, onChange }: Omit<Props<never>, 'rule'>) {
  const { t } = useLingui();
  const value = own.skip_members_only;
  return (
    <div className={styles.row}>
      <Select
        label={t`What is for members only`}
        value={value === undefined ? 'all' : value ? 'out' : 'in'}
        choices={[
          { value: 'all', label: all.skip_members_only ? t`As for all: left out` : t`As for all: taken` },
          { value: 'out', label: t`Left out` },
          { value: 'in', label: t`Taken` },
        ]}
        onChange={({ target }) => onChange('skip_members_only', target.value === 'all' ? undefined : target.value === 'out')}
      />
    </div>
  );
}
