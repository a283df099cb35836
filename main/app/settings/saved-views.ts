import { hasRight } from '../../../shared/agents/roles.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { hasNewNamesake, maxViews, viewsFor, type SavedView } from '../../../shared/settings/saved-view.ts';
import type { StoredAgent } from '../../settings/stored-settings.ts';

/**
 * Validates the views that one person sees. `present`: those until now. Errors: `input.card-number`; `input.invalid` if
 * two have the same name, or id.
 */
export const checkViews = (
  views: readonly SavedView[],
  present: readonly SavedView[] = [],
): Result<undefined> => {
  const cards = views.flatMap(({ name, words }, at): FieldProblem[] =>
    [...(containsCardNumber(name) ? ['name'] : []), ...(containsCardNumber(words) ? ['words'] : [])].map(
      field => ({
        path: `views.${at}.${field}`,
        message: msg('card-number.found'),
      }),
    ),
  );
  if (cards.length > 0) return fail('input.card-number', msg('views.card-number'), { fields: cards });
  const ids = new Set(views.map(({ id }) => id));
  if (!hasNewNamesake(present, views) && ids.size === views.length) return ok(undefined);
  return fail('input.invalid', msg('views.not-saved'), {
    fields: [{ path: 'views', message: msg('views.taken') }],
  });
};

/** The views of everyone, to compare. */
const sharedText = (views: readonly SavedView[]): string =>
  JSON.stringify(viewsFor(views, '').map(({ id, name, words, columns }) => [id, name, words, columns]));

/** Whether a change concerns the views of everyone: their order counts. */
export const changesShared = (present: readonly SavedView[], wanted: readonly SavedView[]): boolean =>
  sharedText(present) !== sharedText(wanted);

/**
 * The stored views after a person changed those that they see: those of other people stay, those of removed people go.
 * `present`: the stored ones. Errors: as `checkViews`; `agent.not-allowed` for a change of the views of everyone by a
 * person who may not resolve reviews, or a view for another person.
 */
export const planViews = (
  present: readonly SavedView[],
  wanted: readonly SavedView[],
  person: Pick<StoredAgent, 'id' | 'role'>,
  people: readonly StoredAgent[],
): Result<SavedView[]> => {
  const visible = viewsFor(present, person.id);
  const checked = checkViews(wanted, visible);
  if (!checked.ok) return checked;
  // Others can add views for everyone to a person's own: fewer are always allowed.
  if (wanted.length > maxViews && wanted.length > visible.length)
    return fail('input.invalid', msg('views.full', { max: maxViews }));
  const others = present.filter(({ owner }) => owner !== null && owner !== person.id);
  const isForOther = wanted.some(
    ({ id, owner }) => (owner !== null && owner !== person.id) || others.some(other => other.id === id),
  );
  if (isForOther || (changesShared(present, wanted) && !hasRight(person.role, 'review')))
    return fail('agent.not-allowed', msg('views.not-allowed'), { hint: msg('views.not-allowed.hint') });
  const ids = new Set(people.map(({ id }) => id));
  return ok([...wanted, ...others.filter(({ owner }) => owner !== null && ids.has(owner))]);
};
