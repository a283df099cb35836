import { create } from 'zustand';
import type { CheckedField } from '../../../shared/settings/connection-check.ts';
import { go, useRoute } from '../route-store.ts';

/**
 * The field that the form of a profile focuses, null = its first one; and the profile that is checked when its form
 * opens, because it was saved as a new one.
 */
export const useProfileFocus = create<{ field: { path: CheckedField } | null; checked: string | null }>(
  () => ({
    field: null,
    checked: null,
  }),
);

/** Opens a profile's form at one of its fields. */
export const openProfileField = (id: string, field: CheckedField): void => {
  useProfileFocus.setState({ field: { path: field } });
  go({ screen: 'settings', section: 'profiles', id });
};

/** Leaves a profile's form for `to`, null = the list; not if the person went elsewhere while it was saved. */
export const leaveProfileForm = (id: string, to: string | null = null): void => {
  const { route } = useRoute.getState();
  if (route.screen === 'settings' && route.section === 'profiles' && route.id === id)
    go({ screen: 'settings', section: 'profiles', id: to });
};
