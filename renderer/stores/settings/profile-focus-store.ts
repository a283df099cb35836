import { create } from 'zustand';
import type { CheckedField } from '../../../shared/settings/connection-check.ts';
import { go } from '../route-store.ts';

/**
 * The field that the form of a profile focuses when it opens, null = its first one; and the profile that is checked
 * when the list opens, because its form was saved.
 */
export const useProfileFocus = create<{ field: CheckedField | null; checked: string | null }>(() => ({
  field: null,
  checked: null,
}));

/** Opens a profile's form at one of its fields. */
export const openProfileField = (id: string, field: CheckedField): void => {
  useProfileFocus.setState({ field });
  go({ screen: 'settings', section: 'profiles', id });
};
