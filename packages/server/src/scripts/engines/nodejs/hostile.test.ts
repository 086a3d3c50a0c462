import { describeHostile } from '../../confined/hostile.fixture.ts';
import { nodejsConfinedBy } from './index.ts';

for (const confinement of ['bubblewrap', 'user'] as const)
  describeHostile(nodejsConfinedBy([confinement]), confinement);
