// Who uses the library imports this module alone.
@_exported import AudioFile
@_exported import Engine
@_exported import Speakers
@_exported import Timeline
