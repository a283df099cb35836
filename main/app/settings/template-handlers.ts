import { randomUUID } from 'node:crypto';
import { containsCardNumber } from '../../../shared/card-number.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Template } from '../../../shared/payments/template.ts';
import { findProfile } from './find-profile.ts';
import type { AppSettings } from '../common/app-settings.ts';

/** Limit of templates per profile, by the size of a menu. */
const most = 50;

const byName = (one: Template, other: Template): number => one.name.localeCompare(other.name);

/** The requests about templates for frequent charges. */
export const createTemplateHandlers = (
  settings: AppSettings,
): Pick<Handlers, 'templates.list' | 'templates.save' | 'templates.remove'> => {
  const of = (profileId: string): Template[] =>
    settings
      .read()
      .templates.filter(one => one.profileId === profileId)
      .toSorted(byName);
  return {
    'templates.list': async ({ profileId }) => ok({ templates: of(profileId) }),
    'templates.save': async ({ id, ...draft }) => {
      const profile = findProfile(settings, draft.profileId);
      if (!profile.ok) return profile;
      const others = of(draft.profileId).filter(one => one.id !== id);
      const problems: FieldProblem[] = (['name', 'description'] as const)
        .filter(field => containsCardNumber(draft[field]))
        .map(path => ({ path, message: msg('card-number.found') }));
      if (problems.length > 0)
        return fail('input.card-number', msg('templates.card-number'), { fields: problems });
      if (others.some(one => one.name.toLocaleLowerCase() === draft.name.toLocaleLowerCase()))
        problems.push({ path: 'name', message: msg('templates.taken') });
      else if (others.length >= most)
        problems.push({ path: 'name', message: msg('templates.full', { count: most }) });
      if (problems.length > 0) return fail('input.invalid', msg('templates.not-saved'), { fields: problems });
      const saved: Template = { ...draft, id: id ?? randomUUID() };
      settings.change(stored => ({
        ...stored,
        templates: [...stored.templates.filter(one => one.id !== saved.id), saved],
      }));
      return ok({ template: saved, templates: of(saved.profileId) });
    },
    'templates.remove': async ({ id }) => {
      const removed = settings.read().templates.find(one => one.id === id);
      settings.change(stored => ({
        ...stored,
        templates: stored.templates.filter(one => one.id !== id),
      }));
      return ok({ templates: removed ? of(removed.profileId) : [] });
    },
  };
};
