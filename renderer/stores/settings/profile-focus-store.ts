import { create } from 'zustand';
import type { CheckedField } from '../../../shared/settings/connection-check.ts';
import { go } from '../route-store.ts';

/** The field that the form of a profile focuses when it opens; null = its first one. */
export const useProfileFocus = create<{ field: CheckedField | null }>(() => ({ field: null }));

/** Opens a profile's form at one of its fields. */
export const openProfileField = (id: string, field: CheckedField): void => {
  useProfileFocus.setState({ field });
  go({ screen: 'settings', section: 'profiles', id });
};
