/** Preloaded where a plugin's own tests run: "pegboard" and its topics are the host that runs them. */
import { offerHostModules } from './loading/generations.ts';

offerHostModules();
