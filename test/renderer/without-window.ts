import { vi } from 'vitest';

/** Import it first: the route is read from the address while its module is loaded; rendering needs no window. */

vi.stubGlobal('window', { location: { hash: '' } });
await import('../../renderer/stores/route-store.ts');
vi.unstubAllGlobals();
