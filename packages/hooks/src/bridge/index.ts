export { chainSession, readChain } from '../hook-chain.ts';
export {
  type AgentProgram,
  agentPrograms,
  agentTitle,
  bridgeArguments,
  isAgentProgram,
  promptSeconds,
} from './agent-programs.ts';
export { type Bridge, type BridgeChange, type Bridges, openBridges } from './open-bridges.ts';
export { type AgentEvent, agentAnswer, readAgentEvent } from './read-agent-event.ts';
