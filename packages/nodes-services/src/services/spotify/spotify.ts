import { defineService } from '../../shared/define-service.ts';
import { album } from './album.ts';
import { artist } from './artist.ts';
import { library, myData } from './library.ts';
import { player } from './player.ts';
import { playlist } from './playlist.ts';
import { spotifyClient } from './spotify-client.ts';
import { track } from './track.ts';

export const spotify = defineService({
  displayName: 'Spotify',
  name: 'spotify',
  version: 1,
  description: 'Searches music, manages playlists, and controls the player of Spotify',
  credentials: [{ name: 'spotifyOAuth2Api', required: true }],
  icon: 'fa:music',
  iconColor: 'green',
  group: ['input'],
  client: spotifyClient,
  resources: { album, artist, library, myData, player, playlist, track },
  initial: 'player',
});
