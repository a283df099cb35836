import { testEveryScreen } from '../every-screen.ts';
import { furtherScreens } from '../../../tools/screens/screens.ts';

testEveryScreen('each further state of a screen', furtherScreens, { areFirst: false });
