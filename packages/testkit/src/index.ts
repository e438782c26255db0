export { type RealServerAddresses, type RealServerName, type RealServers, startRealServers } from './real-servers.ts'
