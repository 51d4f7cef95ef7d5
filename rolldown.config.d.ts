import { type RolldownOptions } from 'rolldown';
/** Command-line programs ship as one ES module that runs on Node 22 and later. */
export declare function program(input: string, file: string, { external }?: {
    readonly external?: readonly string[];
}): RolldownOptions;
declare const _default: RolldownOptions[];
export default _default;
