import type { Language } from '../../shared/messages/message.ts';
import type { Placeholder, ScriptPart } from '../../shared/merchant-texts/custom-scripts.ts';

/** The values of a phone script's placeholders; `minutes` are whole. */
export type ScriptValues = Record<Exclude<Placeholder, 'minutes'>, string> & { minutes: number };

const rules = new Map<Language, Intl.PluralRules>();
const rulesOf = (language: Language): Intl.PluralRules => {
  const made = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, made);
  return made;
};

/** A parsed script with its values: numbers and plurals by the rules of the language. */
export const formatScript = (
  parts: readonly ScriptPart[],
  values: ScriptValues,
  language: Language,
): string => {
  const { minutes } = values;
  const texts = parts.map(part => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'number':
        return minutes.toLocaleString(language);
      case 'value':
        return part.name === 'minutes' ? minutes.toLocaleString(language) : values[part.name];
      case 'plural': {
        const { branches } = part;
        const branch =
          branches.get(`=${minutes}`) ??
          branches.get(rulesOf(language).select(minutes)) ??
          branches.get('other');
        return formatScript(branch ?? [], values, language);
      }
      default:
        return part satisfies never;
    }
  });
  return texts.join('');
};
