import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';

/** Validates saved views. Errors: `input.card-number`; `input.invalid` if two have the same name or id. */
export const checkViews = (views: readonly SavedView[]): Result<undefined> => {
  const cards = views.flatMap(({ name, words }, at): FieldProblem[] =>
    [...(containsCardNumber(name) ? ['name'] : []), ...(containsCardNumber(words) ? ['words'] : [])].map(
      field => ({
        path: `views.${at}.${field}`,
        message: msg('card-number.found'),
      }),
    ),
  );
  if (cards.length > 0) return fail('input.card-number', msg('views.card-number'), { fields: cards });
  const names = new Set(views.map(({ name }) => name.toLocaleLowerCase()));
  const ids = new Set(views.map(({ id }) => id));
  if (names.size === views.length && ids.size === views.length) return ok(undefined);
  return fail('input.invalid', msg('views.not-saved'), {
    fields: [{ path: 'views', message: msg('views.taken') }],
  });
};
