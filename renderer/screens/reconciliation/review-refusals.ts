import { useRefusal } from '../../use-rights.ts';

/** Why the person at this computer may not do something about a payment that needs review; null: they may. */
export const useReviewRefusals = () => ({
  resolve: useRefusal({ request: 'review.resolve' }),
  reopen: useRefusal({ request: 'review.reopen' }),
  // Everyone who works on payments may take one.
  assign: null,
  'assign-to-others': useRefusal({ right: 'review' }),
  snooze: useRefusal({ request: 'review.snooze' }),
  'look-up': useRefusal({ request: 'lookUps.start' }),
});
